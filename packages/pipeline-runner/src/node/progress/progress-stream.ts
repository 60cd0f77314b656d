/** What progress is written to, such as `process.stderr`. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** True while a reader has not taken what was written before. */
  readonly writableNeedDrain?: boolean;
  write(text: string, done?: (error?: Error | null) => void): unknown;
  on?(event: "error", listener: (error: unknown) => void): unknown;
  off?(event: "error", listener: (error: unknown) => void): unknown;
}
