import type { Customer, ListCustomersQuery } from "../generated/openapi.ts";
import type { List } from "../list.ts";
import { type ReadOptions, Resource } from "./resource.ts";

/** The people and businesses that you have submitted. */
export class Customers extends Resource {
  list(query?: ListCustomersQuery, options?: ReadOptions): List<Customer> {
    return this.listing("listCustomers", { query }, options);
  }

  get(customerId: string, options?: ReadOptions): Promise<Customer> {
    return this.call("readCustomer", { params: { customerId } }, options);
  }
}
