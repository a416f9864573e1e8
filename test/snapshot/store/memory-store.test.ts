import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { describeStore } from "../../support/store-suite.js";

describeStore("a store in memory", async () => createMemoryStore());
