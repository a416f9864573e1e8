import { writeSync } from "node:fs";
import { growthCases } from "./cases.js";

// Runs one case at one size, as a process of its own: one explosion must not end the bench. Prints the processor time,
// which other processes do not change much, and by how much the largest resident size grew.
const [name = "", size = ""] = process.argv.slice(2);
const found = growthCases.find((one) => one.name === name);
if (found === undefined) throw new Error(`no case ${JSON.stringify(name)}`);
// Once with little, so that loading and compiling are not measured.
for (let round = 0; round < 3; round++) (await found.prepare(Math.ceil(found.size / 4)))();
const work = await found.prepare(Number(size));
const before = process.resourceUsage().maxRSS;
const cpu = process.cpuUsage();
const result = await work();
const { user, system } = process.cpuUsage(cpu);
const grown = process.resourceUsage().maxRSS - before;
writeSync(1, JSON.stringify({ ms: (user + system) / 1000, bytes: grown * 1024, isThere: result !== null }));
