import { type CodeName, codes, type ResponseCode } from "./codes.ts";

export interface FieldError {
  field: string;
  message: string;
}

interface FailureOptions {
  /** Replaces the table's text in the answer, so it must be fit for the client's eyes. */
  message?: string;
  errors?: FieldError[];
  retryAfterS?: number;
  /** How to authenticate, as WWW-Authenticate says it. */
  challenge?: string;
  cause?: unknown;
}

/** An expected refusal with a name from the code table; anything else thrown is a bug. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly codeName: CodeName;
  readonly fields: FieldError[];
  readonly retryAfterS?: number;
  readonly challenge?: string;

  constructor(codeName: CodeName, options: FailureOptions = {}) {
    super(
      options.message ?? codes[codeName].message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.codeName = codeName;
    this.fields = options.errors ?? [];
    if (options.retryAfterS !== undefined) this.retryAfterS = options.retryAfterS;
    if (options.challenge !== undefined) this.challenge = options.challenge;
  }

  /** The table's row, with the message that this refusal carries. */
  get response(): ResponseCode {
    const row = codes[this.codeName];
    return row.message === this.message ? row : { ...row, message: this.message };
  }
}

/** Whether something was refused for this very reason. */
export const isFailure = (error: unknown, codeName: CodeName): error is Failure =>
  error instanceof Failure && error.codeName === codeName;
