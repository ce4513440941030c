import { z } from "zod";
import { parseDate } from "../foundation/dates.ts";
import { Failure, type FieldError } from "../foundation/failure.ts";
import { addressInput } from "../http/address.ts";
import { line } from "../http/schema.ts";
import { readImage } from "./images.ts";
import type { KycAddress } from "./port.ts";
import { idTypes, isNumberIdType, registrationNumber, unmetRequirements } from "./requirements.ts";
import type { BusinessApplication, DocumentApplication, NumberApplication } from "./submission.ts";

export const clientReference = line(200).meta({
  description: "Your own name for the customer; the same one leads to the same customer",
  examples: ["customer-4711"],
});
const email = z
  .string()
  // The pattern would exhaust the stack on megabytes, so that length comes first.
  .max(254, { abort: true, error: "must be at most 254 characters" })
  .regex(z.regexes.email, "must be an e-mail address")
  .meta({ format: "email", examples: ["ada@example.com"] });
const phoneNumber = z
  .string()
  .regex(/^\+?\d(?:[ ()-]{0,2}\d){5,14}$/, "must be a telephone number of 6 to 15 digits")
  .meta({ examples: ["+2348031234567"] });
const image = (what: string) =>
  z.string().meta({
    description: `${what}: JPEG, PNG, WebP or PDF, in Base64 or as a data URI; the whole body may have 10 MiB`,
  });

const EARLIEST_BIRTH = Date.UTC(1900, 0, 1);

const dateOfBirth = z
  .string()
  .refine((text) => (parseDate(text)?.getTime() ?? -Infinity) >= EARLIEST_BIRTH, {
    error: "must be a real date, YYYY-MM-DD, not before 1900",
  })
  .meta({ format: "date", description: "YYYY-MM-DD. Needed for NIN and vNIN" });

const IndividualKyc = z
  .strictObject({
    idType: z.enum(idTypes),
    idNumber: z.string().meta({
      description: "11 digits for BVN and NIN, 16 letters and digits for vNIN",
      examples: ["22222222222"],
    }),
    firstName: line(100).meta({ examples: ["Ada"] }),
    lastName: line(100).meta({ examples: ["Obi"] }),
    dateOfBirth: dateOfBirth.optional(),
    email: email.optional(),
    phoneNumber: phoneNumber.optional(),
    idFrontImage: image("Needed for documents").optional(),
    idBackImage: image("Where a document has one").optional(),
    address: addressInput.optional().meta({
      description: "Needed for BVN, NIN and vNIN (in Nigeria) and for GHANA_CARD (in Ghana)",
    }),
  })
  .superRefine(
    (given, context) => {
      for (const { field, message } of unmetRequirements(given)) {
        context.addIssue({ code: "custom", path: field.split("."), message });
      }
    },
    // Also when something else is wrong: whoever mends a request wants to hear of everything.
    { when: ({ value }) => typeof value === "object" && value !== null },
  )
  .meta({
    id: "IndividualKyc",
    examples: [
      {
        idType: "BVN",
        idNumber: "22222222222",
        firstName: "Ada",
        lastName: "Obi",
        address: { street: "1 Marina Road", city: "Lagos", state: "Lagos", country: "NG" },
      },
    ],
  });

export const IndividualBody = z.strictObject({ clientReference, individualKyc: IndividualKyc });

export const BusinessBody = z.strictObject({
  clientReference,
  businessKyc: z
    .strictObject({
      registeredName: line(200).meta({ examples: ["Obi & Sons Ltd"] }),
      registrationNumber: z
        .string()
        .regex(registrationNumber.pattern, registrationNumber.message)
        .meta({ examples: ["RC123456"], minLength: 1, maxLength: 50, pattern: undefined }),
      email: email.optional(),
      address: addressInput,
    })
    .meta({ id: "BusinessKyc" }),
});

export function readIndividual(
  body: z.output<typeof IndividualBody>,
  now: Date,
): NumberApplication | DocumentApplication {
  const { idType, idNumber, dateOfBirth, ...given } = body.individualKyc;
  const { clientReference } = body;
  const details = {
    firstName: given.firstName.trim(),
    lastName: given.lastName.trim(),
    email: given.email,
    phoneNumber: given.phoneNumber,
    address: given.address && readAddress(given.address),
  };
  const mistakes = new Mistakes();
  mistakes.in(() => refuseUnborn(dateOfBirth, now));
  const front = mistakes.in(() => readSide(given.idFrontImage, "individualKyc.idFrontImage"));
  const back = mistakes.in(() => readSide(given.idBackImage, "individualKyc.idBackImage"));
  mistakes.refuse();
  if (isNumberIdType(idType)) {
    const identity = { idNumber: idNumber.toUpperCase(), dateOfBirth };
    return { kind: "Number", clientReference, idType, identity, details };
  }
  if (front === undefined) throw new Error("The schema lets no document pass without its image.");
  const identity = { idNumber, dateOfBirth };
  return { kind: "Document", clientReference, idType, identity, details, front, back };
}

export function readBusiness({
  clientReference,
  businessKyc,
}: z.output<typeof BusinessBody>): BusinessApplication {
  const { registeredName, registrationNumber, email, address } = businessKyc;
  return {
    kind: "Business",
    clientReference,
    identity: { registrationNumber },
    details: { registeredName: registeredName.trim(), email, address: readAddress(address) },
  };
}

/** Of what the schema cannot judge; whoever mends a request wants to hear of all of them. */
class Mistakes {
  readonly #errors: FieldError[] = [];

  /** What `read` gives, or nothing and a mistake more. */
  in<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#errors.push(...error.fields);
      return undefined;
    }
  }

  refuse(): void {
    if (this.#errors.length > 0) throw new Failure("INVALID_REQUEST", { errors: this.#errors });
  }
}

const readSide = (text: string | undefined, field: string) =>
  text === undefined ? undefined : readImage(text, field);

function refuseUnborn(dateOfBirth: string | undefined, now: Date): void {
  const birth = dateOfBirth === undefined ? undefined : parseDate(dateOfBirth);
  if (birth === undefined || birth <= now) return;
  throw new Failure("INVALID_REQUEST", {
    errors: [{ field: "individualKyc.dateOfBirth", message: "must not be in the future" }],
  });
}

function readAddress({ street, city, state, postalCode, country }: KycAddress): KycAddress {
  return {
    street: street.trim(),
    city: city.trim(),
    state: state.trim(),
    postalCode: postalCode?.trim(),
    country,
  };
}
