import { z } from "zod";
import { isCountryCode } from "../foundation/countries.ts";
import { isId } from "../foundation/ids.ts";
import { Address } from "../http/address.ts";
import { pageQuery, rangeQuery } from "../http/pagination.ts";
import { id, line, pathId, timestamp } from "../http/schema.ts";
import { kycStatuses } from "./life-cycle.ts";
import type { KycAddress } from "./port.ts";
import { type Customer, customerTypes } from "./rows.ts";
import { clientReference } from "./submission-wire.ts";

export const CustomerPath = z.strictObject({ customerId: pathId("cus") });

export const CustomersQuery = z.strictObject({
  ...pageQuery((text) => isId("cus", text)),
  ...rangeQuery,
  type: z.enum(customerTypes).optional(),
  clientReference: clientReference.optional().meta({ description: "Exactly this one" }),
  name: line(100)
    .optional()
    .meta({
      description:
        "Customers in whose names each of these words is the beginning of a word; case and accents do not matter",
      examples: ["ada"],
    }),
});

export const CustomerView = z
  .strictObject({
    customerId: id("cus"),
    type: z.enum(customerTypes),
    clientReference: z.string(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    registeredName: z.string().optional(),
    email: z.string().optional(),
    phoneNumber: z.string().optional(),
    address: Address.optional(),
    kycToken: id("kyc"),
    status: z.enum(kycStatuses),
    createdAt: timestamp,
  })
  .meta({ id: "Customer", description: "A person or a business that cards can be issued to" });

export function customerOf(row: Customer): z.infer<typeof CustomerView> {
  return {
    customerId: row.customerId,
    type: row.type,
    clientReference: row.clientReference,
    firstName: row.firstName ?? undefined,
    lastName: row.lastName ?? undefined,
    registeredName: row.registeredName ?? undefined,
    email: row.email ?? undefined,
    phoneNumber: row.phoneNumber ?? undefined,
    address: row.address === null ? undefined : addressOf(row.address),
    kycToken: row.kycToken,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The database keeps the fields of an address in an order of its own. */
function addressOf({ street, city, state, postalCode, country }: KycAddress) {
  if (!isCountryCode(country)) throw new Error("A stored address is in no country.");
  return { street, city, state, postalCode, country };
}
