const { api = "", identity = "", prefix = "" } = document.documentElement.dataset;

/** Where the service is, as the server wrote it on the root element. */
export const page = {
  origin: location.origin,
  apiUrl: api,
  identityUrl: identity,
  prefix,
};
