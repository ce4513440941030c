const LINE_REFERENCE = /^clr-[0-9a-f]{32}-\d+$/;

/** The network reference under which a line of a clearing file is posted. */
export const lineReferenceOf = (digest: string, number: number): string =>
  `clr-${digest}-${number}`;

export const isLineReference = (networkReference: string): boolean =>
  LINE_REFERENCE.test(networkReference);
