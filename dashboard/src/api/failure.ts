import { labelOf, withLabels } from "./labels.ts";

export interface FieldError {
  field: string;
  message: string;
}

interface FailureFacts {
  code: string;
  httpStatus: number;
  isFinal: boolean;
  fieldErrors: FieldError[];
  requestId: string | undefined;
  retryAfterS: number | undefined;
}

/** A request that was refused, or whose answer never came. */
export class Failure extends Error {
  override name = "Failure";
  readonly facts: FailureFacts;

  constructor(message: string, facts: FailureFacts) {
    super(message);
    this.facts = facts;
  }

  static lost(): Failure {
    return new Failure("The service did not answer. Check your connection and try again.", {
      code: "",
      httpStatus: 0,
      isFinal: false,
      fieldErrors: [],
      requestId: undefined,
      retryAfterS: undefined,
    });
  }
}

export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : Failure.lost();
}

/** A complaint that stands at no field. */
export const sayComplaint = ({ field, message }: FieldError): string =>
  `${labelOf(field)}: ${withLabels(message)}`;

/** A sentence for the reader: the field's message when there is one, else what the service said. */
export function sayFailure(error: unknown): string {
  const { message: said, facts } = asFailure(error);
  const message = withLabels(said);
  const [first] = facts.fieldErrors;
  if (facts.retryAfterS !== undefined) {
    return `${message}. Try again in ${waitFor(facts.retryAfterS)}.`;
  }
  if (facts.fieldErrors.length === 1 && first !== undefined) return sayComplaint(first);
  return message;
}

function waitFor(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
