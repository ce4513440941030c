import type { Merchant } from "@florin/sdk";

/** Shops of many kinds, so that every control has something to act on. */
export const MERCHANTS: { label: string; merchant: Merchant }[] = [
  shop(
    "Corner Books, Austin, US (bookshop)",
    "BOOKS0000000001",
    "5942",
    "Corner Books",
    "Austin",
    "US",
  ),
  shop(
    "Fresh Market, Lagos, NG (groceries)",
    "GROCER000000001",
    "5411",
    "Fresh Market",
    "Lagos",
    "NG",
  ),
  shop(
    "Sky Airways, London, GB (airline)",
    "AIRLINE00000001",
    "4511",
    "Sky Airways",
    "London",
    "GB",
  ),
  shop(
    "Lucky Casino, Las Vegas, US (gambling)",
    "CASINO000000001",
    "7995",
    "Lucky Casino",
    "Las Vegas",
    "US",
  ),
  shop("Grand Hotel, Accra, GH (hotel)", "HOTEL0000000001", "7011", "Grand Hotel", "Accra", "GH"),
  shop(
    "Cloud Hosting, Dublin, IE (software)",
    "CLOUD0000000001",
    "5734",
    "Cloud Hosting",
    "Dublin",
    "IE",
  ),
];

function shop(
  label: string,
  mid: string,
  mcc: string,
  name: string,
  city: string,
  country: string,
) {
  return { label, merchant: { mid, mcc, name, city, country } };
}
