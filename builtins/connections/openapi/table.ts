// Defines the stored form of a document: a short row per operation, and a plan per operation that is read on demand.
import { isRecord } from '#lib/values';

export type Method = 'get' | 'head' | 'options' | 'post' | 'put' | 'patch' | 'delete';

export interface OperationRow {
  /** Name of the tool. */
  readonly name: string;
  readonly method: Method;
  /** As in the document: `/repos/{owner}/{repo}`. */
  readonly path: string;
  /** A single line. */
  readonly summary: string;
  /** Names of the required arguments. */
  readonly required: readonly string[];
  readonly isDeprecated?: true;
  readonly family: string;
  /** Byte offset of the plan's text after the first line of the file, and its length in bytes. */
  readonly at: number;
  readonly bytes: number;
}

export interface OperationTable {
  readonly format: number;
  readonly title: string;
  /** Base address of calls, without a trailing slash. */
  readonly baseUrl: string;
  readonly rows: readonly OperationRow[];
}

export interface ParameterPlan {
  readonly argument: string;
  /** The name in the request. */
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'cookie';
  readonly style: string;
  readonly isExploded: boolean;
  readonly allowsReserved: boolean;
  /** Whether the value is sent as JSON text. */
  readonly isJson: boolean;
}

export interface BodyPlan {
  readonly kind: 'json' | 'form' | 'multipart' | 'text' | 'file';
  readonly mediaType: string;
  /** Fields of a multipart body whose value is a workspace path or a list of workspace paths. */
  readonly files: readonly string[];
  /** Encoding of form fields, if the document specifies it. */
  readonly encodings: Readonly<Record<string, FieldEncoding>>;
}

/** At least one of `style` and `contentType` is set. */
export interface FieldEncoding {
  readonly style?: string;
  readonly isExploded?: boolean;
  /** A single content type. */
  readonly contentType?: string;
}

/** Describes how to call an operation. */
export interface OperationPlan {
  /** JSON Schema (2020-12) of the arguments. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly parameters: readonly ParameterPlan[];
  readonly body?: BodyPlan;
  /** Alternative sets of security schemes; every scheme of a set is required. Omitted if the document specifies none. */
  readonly security?: readonly (readonly string[])[];
}

export interface CompiledDocument {
  readonly title: string;
  readonly operations: readonly { readonly row: Omit<OperationRow, 'at' | 'bytes'>; readonly plan: OperationPlan }[];
}

/** Incremented when the structure of rows or plans changes; tables in another format are recreated from the document. */
export const tableFormat = 2;

export type Json = Readonly<Record<string, unknown>>;

/** Reads own properties only, because names come from third-party documents. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
