import { FileInput, NativeSelect, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { SideBySide } from "../ui/side-by-side.tsx";
import { type Applicant, ID_TYPES, isDocument } from "./applicant.ts";
import { needsBirth } from "./missing.ts";

interface FieldsProps {
  form: UseFormReturnType<Applicant>;
}

export function IndividualFields({ form }: FieldsProps) {
  const { idType } = form.values;
  return (
    <>
      <ReferenceField form={form} />
      <SideBySide>
        <NativeSelect
          label="Identity"
          data={ID_TYPES.map((value) => ({ value, label: value.replaceAll("_", " ") }))}
          {...form.getInputProps("idType")}
        />
        <TextInput label="Number" autoComplete="off" {...form.getInputProps("idNumber")} />
      </SideBySide>
      <SideBySide>
        <TextInput label="First name" autoComplete="off" {...form.getInputProps("firstName")} />
        <TextInput label="Last name" autoComplete="off" {...form.getInputProps("lastName")} />
      </SideBySide>
      <TextInput
        type="date"
        label={needsBirth(form.values) ? "Date of birth" : "Date of birth (optional)"}
        {...form.getInputProps("dateOfBirth")}
      />
      {isDocument(idType) && (
        <SideBySide>
          <ImageField form={form} name="idFrontImage" label="Front of the document" />
          <ImageField form={form} name="idBackImage" label="Back (optional)" />
        </SideBySide>
      )}
      <SideBySide>
        <TextInput label="E-mail (optional)" autoComplete="off" {...form.getInputProps("email")} />
        <TextInput
          label="Phone (optional)"
          autoComplete="off"
          {...form.getInputProps("phoneNumber")}
        />
      </SideBySide>
    </>
  );
}

export function BusinessFields({ form }: FieldsProps) {
  return (
    <>
      <ReferenceField form={form} />
      <TextInput label="Registered name" {...form.getInputProps("registeredName")} />
      <TextInput label="Registration number" {...form.getInputProps("registrationNumber")} />
      <TextInput label="E-mail (optional)" {...form.getInputProps("email")} />
    </>
  );
}

function ReferenceField({ form }: FieldsProps) {
  return (
    <TextInput
      label="Your reference"
      description="How your own system calls this customer"
      autoComplete="off"
      {...form.getInputProps("clientReference")}
    />
  );
}

export function AddressFields({ form }: FieldsProps) {
  return (
    <>
      <TextInput label="Street" autoComplete="off" {...form.getInputProps("address.street")} />
      <SideBySide>
        <TextInput label="City" autoComplete="off" {...form.getInputProps("address.city")} />
        <TextInput
          label="State or province"
          autoComplete="off"
          {...form.getInputProps("address.state")}
        />
      </SideBySide>
      <SideBySide>
        <TextInput
          label="Postal code (optional)"
          autoComplete="off"
          {...form.getInputProps("address.postalCode")}
        />
        <TextInput label="Country" autoComplete="off" {...form.getInputProps("address.country")} />
      </SideBySide>
    </>
  );
}

interface ImageFieldProps extends FieldsProps {
  name: "idFrontImage" | "idBackImage";
  label: string;
}

function ImageField({ form, name, label }: ImageFieldProps) {
  const read = async (file: File | null) => {
    form.setFieldValue(name, file === null ? "" : await dataUriOf(file));
  };
  return (
    <FileInput
      label={label}
      placeholder="JPEG, PNG, WebP or PDF"
      accept="image/jpeg,image/png,image/webp,application/pdf"
      clearable
      onChange={(file) => void read(file)}
      error={form.errors[name]}
      data-path={name}
    />
  );
}

function dataUriOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
