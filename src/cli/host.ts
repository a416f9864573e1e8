/** What a command uses of the process that it runs in: `process` has all of it. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: { isTTY?: boolean };
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; isTTY?: boolean; columns?: number };
  /** @throws where the working folder was removed */
  cwd(): string;
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  off(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  exit(code: number): void;
}
