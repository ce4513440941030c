/** What is behind the # of an address is for browsers, and never sent. */
export const withoutFragment = (address: string): string => address.replace(/#.*$/s, "");
