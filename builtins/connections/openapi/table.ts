// Defines the stored form of a document: one short row per operation, and its plan, which is read on demand.
import { isRecord } from '#lib/values';

export type Method = 'get' | 'head' | 'options' | 'post' | 'put' | 'patch' | 'delete';

export interface OperationRow {
  /** Name of the tool. */
  readonly name: string;
  readonly method: Method;
  /** As in the document: `/repos/{owner}/{repo}`. */
  readonly path: string;
  /** One line. */
  readonly summary: string;
  /** Names of the required arguments. */
  readonly required: readonly string[];
  readonly isDeprecated?: true;
  /** Name of the tool family. */
  readonly family: string;
  /** Where the plan's text begins, in bytes after the first line of the file, and its length in bytes. */
  readonly at: number;
  readonly bytes: number;
}

export interface OperationTable {
  readonly format: number;
  /** Title of the document. */
  readonly title: string;
  /** Where calls go; without a trailing slash. */
  readonly baseUrl: string;
  readonly rows: readonly OperationRow[];
}

export interface ParameterPlan {
  /** The argument's name. */
  readonly argument: string;
  /** The name in the request. */
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'cookie';
  readonly style: string;
  readonly isExploded: boolean;
  readonly allowsReserved: boolean;
  /** It is sent as JSON text. */
  readonly isJson: boolean;
}

export interface BodyPlan {
  readonly kind: 'json' | 'form' | 'multipart' | 'text' | 'file';
  readonly mediaType: string;
  /** Fields of a multipart body whose value is the path of a file in the workspace, or a list of them. */
  readonly files: readonly string[];
  /** How form fields are sent, if the document says it. */
  readonly encodings: Readonly<Record<string, FieldEncoding>>;
}

/** At least one of `style` and `contentType`. */
export interface FieldEncoding {
  readonly style?: string;
  readonly isExploded?: boolean;
  /** A single type. */
  readonly contentType?: string;
}

/** How a call is made. */
export interface OperationPlan {
  /** JSON Schema (2020-12) of the arguments. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly parameters: readonly ParameterPlan[];
  readonly body?: BodyPlan;
  /** Alternatives of authentication, each the names of all schemes that it needs; left out if the document says nothing. */
  readonly security?: readonly (readonly string[])[];
}

/** The result of compiling a document. */
export interface CompiledDocument {
  readonly title: string;
  readonly operations: readonly { readonly row: Omit<OperationRow, 'at' | 'bytes'>; readonly plan: OperationPlan }[];
}

/** Incremented when rows or plans change their shape; tables of another format are recreated from the document. */
export const tableFormat = 2;

export type Json = Readonly<Record<string, unknown>>;

/** An own property: names come from third-party documents. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
