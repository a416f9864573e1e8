/* Two internal files of undici. The command is built with the undici version that has them. */

declare module "undici/lib/dispatcher/agent.js" {
  import type { Agent } from "undici";

  /** Without the methods that loading all of undici adds. */
  const LeanAgent: new (options: Agent.Options) => Pick<Agent, "destroy">;
  export default LeanAgent;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";

  function request(this: object, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  export default request;
}
