import { FileInput, Group, NativeSelect, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
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
      <Group grow align="flex-start">
        <NativeSelect
          label="Identity"
          data={ID_TYPES.map((value) => ({ value, label: value.replaceAll("_", " ") }))}
          {...form.getInputProps("idType")}
        />
        <TextInput label="Number" autoComplete="off" {...form.getInputProps("idNumber")} />
      </Group>
      <Group grow align="flex-start">
        <TextInput label="First name" autoComplete="off" {...form.getInputProps("firstName")} />
        <TextInput label="Last name" autoComplete="off" {...form.getInputProps("lastName")} />
      </Group>
      <TextInput
        type="date"
        label={needsBirth(form.values) ? "Date of birth" : "Date of birth (optional)"}
        {...form.getInputProps("dateOfBirth")}
      />
      {isDocument(idType) && (
        <Group grow align="flex-start">
          <ImageField form={form} name="idFrontImage" label="Front of the document" />
          <ImageField form={form} name="idBackImage" label="Back (optional)" />
        </Group>
      )}
      <Group grow align="flex-start">
        <TextInput label="E-mail (optional)" autoComplete="off" {...form.getInputProps("email")} />
        <TextInput
          label="Phone (optional)"
          autoComplete="off"
          {...form.getInputProps("phoneNumber")}
        />
      </Group>
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
      <Group grow align="flex-start">
        <TextInput label="City" autoComplete="off" {...form.getInputProps("address.city")} />
        <TextInput
          label="State or province"
          autoComplete="off"
          {...form.getInputProps("address.state")}
        />
      </Group>
      <Group grow align="flex-start">
        <TextInput
          label="Postal code (optional)"
          autoComplete="off"
          {...form.getInputProps("address.postalCode")}
        />
        <TextInput label="Country" autoComplete="off" {...form.getInputProps("address.country")} />
      </Group>
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
