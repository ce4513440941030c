import type pg from "pg";
import type { Connection } from "../db/pool.ts";
import type { ImageMediaType } from "./image-structure.ts";
import type { Verification } from "./rows.ts";

const COLUMNS = `
  organization_id as "organizationId", kyc_token as "kycToken", customer_id as "customerId",
  client_reference as "clientReference", kind, id_type as "idType", details, provider,
  provider_id as "providerId", status, reject_type as "rejectType", reject_labels as "rejectLabels",
  updated_at as "updatedAt"`;

interface VerificationKey {
  organizationId: string;
  kycToken: string;
}

export async function insertVerification(
  tx: pg.PoolClient,
  row: Verification,
  { identitySealed, dueAt }: { identitySealed: Buffer; dueAt: Date | null },
): Promise<void> {
  await tx.query(
    `insert into kyc_verifications
       (organization_id, kyc_token, customer_id, client_reference, kind, id_type, details, identity_sealed,
        provider, provider_id, status, reject_type, reject_labels, due_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)`,
    [
      row.organizationId,
      row.kycToken,
      row.customerId,
      row.clientReference,
      row.kind,
      row.idType,
      JSON.stringify(row.details),
      identitySealed,
      row.provider,
      row.providerId,
      row.status,
      row.rejectType,
      row.rejectLabels,
      dueAt,
      row.updatedAt,
    ],
  );
}

export async function findVerification(
  db: Connection,
  { organizationId, kycToken }: VerificationKey,
): Promise<Verification | undefined> {
  const { rows } = await db.query<Verification>(
    `select ${COLUMNS} from kyc_verifications where organization_id = $1 and kyc_token = $2`,
    [organizationId, kycToken],
  );
  return rows[0];
}

/** As it stands, and as nobody else can change it before this transaction ends. */
export async function lockVerification(
  tx: pg.PoolClient,
  { organizationId, kycToken }: VerificationKey,
): Promise<Verification | undefined> {
  const { rows } = await tx.query<Verification>(
    `select ${COLUMNS} from kyc_verifications
      where organization_id = $1 and kyc_token = $2 for no key update`,
    [organizationId, kycToken],
  );
  return rows[0];
}

/** For a provider's call-back, which knows the token only. */
export async function findOrganizationOf(
  db: Connection,
  kycToken: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ organizationId: string }>(
    `select organization_id as "organizationId" from kyc_verifications where kyc_token = $1`,
    [kycToken],
  );
  return rows[0]?.organizationId;
}

/** Saves where a verification stands. One that is decided needs no more work. */
export async function saveVerification(tx: pg.PoolClient, row: Verification): Promise<void> {
  await tx.query(
    `update kyc_verifications
        set status = $3, reject_type = $4, reject_labels = $5, updated_at = $6,
            due_at = case when $3 in ('Approved', 'Rejected') then null else due_at end
      where organization_id = $1 and kyc_token = $2`,
    [row.organizationId, row.kycToken, row.status, row.rejectType, row.rejectLabels, row.updatedAt],
  );
}

export const sides = ["Front", "Back"] as const;
export type Side = (typeof sides)[number];

export interface SealedImage {
  side: Side;
  mediaType: ImageMediaType;
  imageSealed: Buffer;
}

export async function insertImage(
  tx: pg.PoolClient,
  { organizationId, kycToken }: VerificationKey,
  { side, mediaType, imageSealed }: SealedImage,
): Promise<void> {
  await tx.query(
    `insert into kyc_images (organization_id, kyc_token, side, media_type, image_sealed)
     values ($1, $2, $3, $4, $5)`,
    [organizationId, kycToken, side, mediaType, imageSealed],
  );
}

export async function findImages(
  db: Connection,
  { organizationId, kycToken }: VerificationKey,
): Promise<SealedImage[]> {
  const { rows } = await db.query<SealedImage>(
    `select side, media_type as "mediaType", image_sealed as "imageSealed" from kyc_images
      where organization_id = $1 and kyc_token = $2`,
    [organizationId, kycToken],
  );
  return rows;
}

export async function findIdentity(
  db: Connection,
  { organizationId, kycToken }: VerificationKey,
): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ identitySealed: Buffer }>(
    `select identity_sealed as "identitySealed" from kyc_verifications
      where organization_id = $1 and kyc_token = $2`,
    [organizationId, kycToken],
  );
  return rows[0]?.identitySealed;
}
