const LINE_REFERENCE = /^clr-[0-9a-f]{32}-\d+$/;

/** What the messages are called that lines of clearing files stand for. */
export const lineReferenceOf = (digest: string, number: number): string =>
  `clr-${digest}-${number}`;

export const isLineReference = (networkReference: string): boolean =>
  LINE_REFERENCE.test(networkReference);
