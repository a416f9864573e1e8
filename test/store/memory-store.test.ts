import { createMemoryStore } from "../../src/store/memory-store.js";
import { describeStore } from "../support/store-suite.js";

describeStore("a store in memory", async () => createMemoryStore());
