import { expect } from "vitest";
import { verdict } from "./answers.ts";
import type { ApiClient } from "./api-client.ts";

export interface Listed {
  customerId: string;
  clientReference: string;
  createdAt: string;
}

/** A page of the list of customers. */
export async function customersOf(client: ApiClient, query = ""): Promise<Listed[]> {
  const answer = await client.get(`/customers${query}`);
  expect(verdict(answer)).toBe("200/000");
  return answer.body.data;
}

/** Who is on a page, oldest first. */
export async function referencesOf(client: ApiClient, query: string): Promise<string[]> {
  return (await customersOf(client, query))
    .map(({ clientReference }) => clientReference)
    .toReversed();
}
