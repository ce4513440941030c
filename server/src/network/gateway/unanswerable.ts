/** Nobody can say what became of a message: silence makes its sender repeat or reverse it. */
export class Unanswerable extends Error {
  override readonly name = "Unanswerable";

  constructor(cause: unknown) {
    super("The outcome of the message is unknown", { cause });
  }
}
