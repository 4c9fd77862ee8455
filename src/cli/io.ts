/** What a command may touch of the world: injected, so that tests need no terminal and no process. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: { readonly isTTY: boolean; read(): Promise<Buffer> };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The time now, ISO 8601. */
  now(): string;
  /** Lets the event loop run; throws when the person pressed Ctrl-C. */
  checkpoint(): Promise<void>;
  /** Aborted when the person pressed Ctrl-C; from the first look on, Ctrl-C no longer ends the process by itself. */
  readonly interrupt: AbortSignal;
}

export interface Output {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  write(text: string | Uint8Array): void;
}
