import { afterEach, beforeEach } from "vitest";
import { type Books, openBooks } from "./books.ts";
import { scratchDatabase } from "./scratch.ts";

interface AuditedBooks {
  books: Books;
  organizationId: string;
  /** In US dollars. */
  wallet: string;
}

/** Books of each test's own, to be damaged: one organization with one wallet. */
export function auditedBooks(opened: (open: AuditedBooks) => void): void {
  let books: Books;
  beforeEach(async () => {
    books = openBooks(await scratchDatabase());
    const organizationId = await books.openOrganization();
    opened({ books, organizationId, wallet: await books.openWallet(organizationId, "USD") });
  });
  afterEach(() => books.close());
}
