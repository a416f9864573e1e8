// Sends Offprint's spans to a collector (OTEL_EXPORTER_OTLP_ENDPOINT; default http://localhost:4318).
// npm install @opentelemetry/api @opentelemetry/sdk-node
// NODE_OPTIONS="--import ./node_modules/offprint/docs/recipes/tracing.mjs" npx offprint watch
import { createRequire } from "node:module";

// From the project: a package manager may keep this file elsewhere.
const { NodeSDK } = createRequire(`${process.cwd()}/package.json`)("@opentelemetry/sdk-node");
const sdk = new NodeSDK({ serviceName: process.env.OTEL_SERVICE_NAME ?? "offprint" });
sdk.start();
process.once("beforeExit", () => sdk.shutdown());
