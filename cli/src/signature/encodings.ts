/** The characters on which the usual encoders disagree; all of them encode the rest alike. */
const CONTESTED = /[!'()*~]/g;

const keeping =
  (kept: string) =>
  (url: string): string =>
    encodeURIComponent(url).replace(CONTESTED, (character) =>
      kept.includes(character)
        ? character
        : `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );

const lowerCase = (encoded: string): string =>
  encoded.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());

interface Encoding {
  /** Who encodes like this. */
  name: string;
  encode(url: string): string;
}

/** What the service accepts for the same URL. */
export const acceptedEncodings: readonly Encoding[] = [
  { name: "JavaScript encodeURIComponent", encode: encodeURIComponent },
  { name: "Python quote, PHP rawurlencode, Go, C# EscapeDataString", encode: keeping("~") },
  { name: "PHP urlencode", encode: keeping("") },
  { name: "Java URLEncoder", encode: keeping("*") },
  { name: "C# WebUtility", encode: keeping("!()*") },
  { name: "C# HttpUtility", encode: (url) => lowerCase(keeping("!()*")(url)) },
];

/** What clients do by mistake. */
export const mistakenEncodings: readonly Encoding[] = [
  { name: "the URL was not encoded", encode: (url) => url },
  { name: "the URL was encoded as a whole address (encodeURI), not as a value", encode: encodeURI },
  {
    name: "the URL was encoded twice",
    encode: (url) => encodeURIComponent(encodeURIComponent(url)),
  },
  {
    name: "the URL was changed to lower case after encoding",
    encode: (url) => encodeURIComponent(url).toLowerCase(),
  },
];
