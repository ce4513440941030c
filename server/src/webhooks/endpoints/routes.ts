import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import { pageOf } from "../../http/pagination.ts";
import {
  changeEndpoint,
  createEndpoint,
  type EndpointDeps,
  readEndpoint,
  readEndpoints,
  recoverEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
} from "./service.ts";
import { testEndpoint } from "./test-delivery.ts";
import {
  ChangeEndpointBody,
  EndpointPath,
  EndpointsQuery,
  endpointOf,
  endpointWithSecretOf,
  NewEndpointBody,
  NoBody,
  RecoverBody,
  TestDeliveryView,
  testDeliveryOf,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from "./wire.ts";

const CreateEndpoint = describe({
  operationId: "createWebhookEndpoint",
  tag: "Webhooks",
  summary: "Create a webhook endpoint",
  description:
    "What happens from now on is sent there, signed with the secret of the answer. Keep it: it is not " +
    "shown again.",
  body: NewEndpointBody,
  data: WebhookEndpointWithSecret,
});

const ListEndpoints = describe({
  operationId: "listWebhookEndpoints",
  tag: "Webhooks",
  summary: "List webhook endpoints",
  description: "Newest first.",
  querystring: EndpointsQuery,
  data: WebhookEndpoint.array(),
  paged: true,
});

const ReadEndpoint = describe({
  operationId: "readWebhookEndpoint",
  tag: "Webhooks",
  summary: "Read a webhook endpoint",
  description: "Where it is, what it is sent and whether it is enabled.",
  params: EndpointPath,
  data: WebhookEndpoint,
});

const ChangeEndpoint = describe({
  operationId: "changeWebhookEndpoint",
  tag: "Webhooks",
  summary: "Change a webhook endpoint",
  description:
    "What is not sent stays. An endpoint that is enabled again is sent what happens from then on; recover " +
    "what it missed. What is on its way by then may still arrive as before, for 25 seconds at most.",
  params: EndpointPath,
  body: ChangeEndpointBody,
  data: WebhookEndpoint,
});

const DeleteEndpoint = describe({
  operationId: "deleteWebhookEndpoint",
  tag: "Webhooks",
  summary: "Delete a webhook endpoint",
  description:
    "Nothing more is sent to it, not even what was still to be tried again; what is on its way by then may still arrive, for 25 seconds at most.",
  params: EndpointPath,
  data: WebhookEndpoint,
});

const RotateSecret = describe({
  operationId: "rotateWebhookSecret",
  tag: "Webhooks",
  summary: "Rotate an endpoint's secret",
  description:
    "For 24 hours every message carries two signatures, by the new secret and by the one before, so that " +
    "receivers can follow when it suits them. What is on its way by then has only the old one, for 25 seconds at most.",
  params: EndpointPath,
  body: NoBody,
  data: WebhookEndpointWithSecret,
});

const TestEndpoint = describe({
  operationId: "testWebhookEndpoint",
  tag: "Webhooks",
  summary: "Try a webhook endpoint",
  description:
    "Sends one signed message of the type `webhook_endpoint.test` now, even to a disabled endpoint, waits " +
    "for the answer and says what came of it. It is no event: it is neither listed nor sent again.",
  params: EndpointPath,
  body: NoBody,
  data: TestDeliveryView,
});

const RecoverEndpoint = describe({
  operationId: "recoverWebhookEndpoint",
  tag: "Webhooks",
  summary: "Recover what an endpoint missed",
  description:
    "Sends every event since then that this endpoint wants and has not acknowledged: what failed, what waits " +
    "for another attempt, and what happened while it was disabled or not there yet. Acknowledgements are " +
    "known for 30 days; what is older is sent in any case.",
  params: EndpointPath,
  body: RecoverBody,
  data: WebhookEndpoint,
});

const PATH = "/webhook-endpoints";
const ONE = `${PATH}/:webhookEndpointId`;

export function endpointRoutes(api: App, deps: EndpointDeps): void {
  api.post(PATH, { schema: CreateEndpoint }, async ({ caller, body }) => {
    const created = await createEndpoint(deps, caller, body);
    return ok(endpointWithSecretOf(created), { resourceId: created.endpoint.webhookEndpointId });
  });

  api.get(PATH, { schema: ListEndpoints }, async ({ caller, query }) => {
    const rows = await readEndpoints(deps, caller.organizationId, query);
    return pageOf(rows, query, (row) => row.webhookEndpointId, endpointOf);
  });

  api.get(ONE, { schema: ReadEndpoint }, async ({ caller, params }) =>
    ok(endpointOf(await readEndpoint(deps, caller.organizationId, params.webhookEndpointId))),
  );

  api.patch(ONE, { schema: ChangeEndpoint }, async ({ caller, params, body }) =>
    ok(endpointOf(await changeEndpoint(deps, caller, params.webhookEndpointId, body))),
  );

  api.delete(ONE, { schema: DeleteEndpoint }, async ({ caller, params }) =>
    ok(endpointOf(await removeEndpoint(deps, caller, params.webhookEndpointId))),
  );

  api.post(`${ONE}/rotate-secret`, { schema: RotateSecret }, async ({ caller, params }) =>
    ok(endpointWithSecretOf(await rotateEndpointSecret(deps, caller, params.webhookEndpointId))),
  );

  api.post(`${ONE}/test`, { schema: TestEndpoint }, async ({ caller, params }) =>
    ok(testDeliveryOf(await testEndpoint(deps, caller, params.webhookEndpointId))),
  );

  api.post(`${ONE}/recover`, { schema: RecoverEndpoint }, async ({ caller, params, body }) =>
    ok(endpointOf(await recoverEndpoint(deps, caller, params.webhookEndpointId, body.since))),
  );
}
