import { readRange } from "../foundation/dates.ts";
import type { App } from "../http/app.ts";
import { ok } from "../http/envelope.ts";
import { describe } from "../http/openapi.ts";
import { pageOf } from "../http/pagination.ts";
import { fewLargeBodies, MAX_KYC_BODY_BYTES } from "./large-bodies.ts";
import type { Verification } from "./rows.ts";
import { type CustomerDeps, readCustomer, readCustomers } from "./service.ts";
import { BusinessBody, IndividualBody, readBusiness, readIndividual } from "./submission-wire.ts";
import {
  type KycDeps,
  readVerification,
  submitForReview,
  submitIndividual,
} from "./verification-service.ts";
import { KycPath, KycVerification, verificationOf } from "./verification-wire.ts";
import { CustomerPath, CustomersQuery, CustomerView, customerOf } from "./wire.ts";

const VerifyIndividual = describe({
  operationId: "verifyIndividual",
  tag: "KYC",
  summary: "Verify a person",
  description:
    "BVN, NIN and vNIN are looked up at once: the answer is Approved or Rejected. A document is Initiated, " +
    "then Pending, and decided later; each step is an event. A provider that cannot be asked is 502/152, " +
    "one that is too slow 504/172: nothing is recorded then, and the same Reference may be tried again.",
  body: IndividualBody,
  data: KycVerification,
});

const VerifyBusiness = describe({
  operationId: "verifyBusiness",
  tag: "KYC",
  summary: "Verify a business",
  description: "Initiated, then Pending, and decided later; each step is an event.",
  body: BusinessBody,
  data: KycVerification,
});

const ReadVerification = describe({
  operationId: "readVerification",
  tag: "KYC",
  summary: "Read where a verification stands",
  description: "For a client that missed an event. Stop asking at Approved or Rejected.",
  params: KycPath,
  data: KycVerification,
});

const ListCustomers = describe({
  operationId: "listCustomers",
  tag: "Customers",
  summary: "List customers",
  description:
    "Everyone who was ever submitted, newest first, with where they stand. Cards can be issued to those " +
    "who are Approved.",
  querystring: CustomersQuery,
  data: CustomerView.array(),
  paged: true,
});

const ReadCustomer = describe({
  operationId: "readCustomer",
  tag: "Customers",
  summary: "Read a customer",
  description:
    "One customer, with the details of the verification that approved it, or of the latest.",
  params: CustomerPath,
  data: CustomerView,
});

const submitted = (verification: Verification) =>
  ok(verificationOf(verification), { resourceId: verification.kycToken });

export function kycRoutes(api: App, deps: KycDeps): void {
  const large = { bodyLimit: MAX_KYC_BODY_BYTES, preParsing: fewLargeBodies() };

  api.post("/kyc/individual", { schema: VerifyIndividual, ...large }, async ({ caller, body }) => {
    const person = readIndividual(body, deps.clock.now());
    return submitted(await submitIndividual(deps, caller, person));
  });

  api.post("/kyc/business", { schema: VerifyBusiness, ...large }, async ({ caller, body }) =>
    submitted(await submitForReview(deps, caller, readBusiness(body))),
  );

  api.get("/kyc/:kycToken", { schema: ReadVerification }, async ({ caller, params }) =>
    ok(verificationOf(await readVerification(deps, caller.organizationId, params.kycToken))),
  );
}

export function customerRoutes(api: App, deps: CustomerDeps): void {
  api.get("/customers", { schema: ListCustomers }, async ({ caller, query }) => {
    const { limit, cursor, from, to, ...filter } = query;
    const range = readRange({ from, to });
    const page = { limit, cursor };
    const rows = await readCustomers(deps, caller.organizationId, { ...filter, range }, page);
    return pageOf(rows, page, (row) => row.customerId, customerOf);
  });

  api.get("/customers/:customerId", { schema: ReadCustomer }, async ({ caller, params }) =>
    ok(customerOf(await readCustomer(deps, caller.organizationId, params.customerId))),
  );
}
