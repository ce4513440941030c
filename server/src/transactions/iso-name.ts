/** What ISO 8583 calls a payment. Its network reference is these in a row. */
export interface IsoName {
  /** DE 32, the only one that varies in length. */
  acquirer: string;
  /** DE 37, with the blanks after it. */
  retrieval: string;
  /** DE 11. */
  trace: string;
  /** DE 7. */
  transmitted: string;
}

/** As the indexes of the database have it. */
export const ISO_REFERENCE = "^[0-9]{1,11}[0-9A-Za-z ]{12}[0-9]{16}$";
const ISO_NAME = /^([0-9]{1,11})([0-9A-Za-z ]{12})([0-9]{6})([0-9]{10})$/;

export const networkReferenceOf = ({ acquirer, retrieval, trace, transmitted }: IsoName): string =>
  acquirer + retrieval + trace + transmitted;

/** Nothing where a payment came by another way, which names it otherwise. */
export function isoNameOf(networkReference: string | null): IsoName | undefined {
  const [, acquirer, retrieval, trace, transmitted] = ISO_NAME.exec(networkReference ?? "") ?? [];
  if (!acquirer || !retrieval || !trace || !transmitted) return undefined;
  return { acquirer, retrieval, trace, transmitted };
}

/** As DE 90 and files of others write an acquirer, with zeros before it or without. */
export const withoutZeros = (acquirer: string): string => acquirer.replace(/^0+/, "");

export function isOfAcquirer(networkReference: string | null, acquirer: string): boolean {
  const name = isoNameOf(networkReference);
  return name !== undefined && withoutZeros(name.acquirer) === withoutZeros(acquirer);
}

/** What a later message may call its original: by its own trace, or else by the payment's retrieval reference. */
export const traceKey = ({ trace, transmitted }: Omit<IsoName, "acquirer" | "retrieval">): string =>
  `T${trace}${transmitted}`;
export const retrievalKey = ({ retrieval }: Pick<IsoName, "retrieval">): string => `R${retrieval}`;

/** The same, of an acquirer alone: another may have used that trace at that time. */
export const keyAtAcquirer = (key: string, acquirer: string): string =>
  `${key} ${withoutZeros(acquirer)}`;
