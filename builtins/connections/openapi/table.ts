// What is kept of a document: one short row for each operation, and its plan, which is read when it is needed.
import { isRecord } from 'agent-harness/lib/values';

export type Method = 'get' | 'head' | 'options' | 'post' | 'put' | 'patch' | 'delete';

export interface OperationRow {
  /** Of the tool. */
  readonly name: string;
  readonly method: Method;
  /** As in the document: `/repos/{owner}/{repo}`. */
  readonly path: string;
  /** One line. */
  readonly summary: string;
  /** Names of the arguments that a call needs. */
  readonly required: readonly string[];
  readonly isDeprecated?: true;
  /** Name of the tool family. */
  readonly family: string;
  /** Where the plan's text begins, in bytes after the first line of the file, and how many it has. */
  readonly at: number;
  readonly bytes: number;
}

export interface OperationTable {
  readonly format: number;
  /** Of the document. */
  readonly title: string;
  /** Where calls go; without a slash at the end. */
  readonly baseUrl: string;
  readonly rows: readonly OperationRow[];
}

export interface ParameterPlan {
  /** The argument's name. */
  readonly argument: string;
  /** The name on the wire. */
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'cookie';
  readonly style: string;
  readonly isExploded: boolean;
  readonly allowsReserved: boolean;
  /** It travels as a JSON text. */
  readonly isJson: boolean;
}

export interface BodyPlan {
  readonly kind: 'json' | 'form' | 'multipart' | 'text' | 'file';
  readonly mediaType: string;
  /** Fields of a multipart body whose value is the path of a file in the workspace, or a list of them. */
  readonly files: readonly string[];
  /** How fields of a form travel, where the document says it. */
  readonly encodings: Readonly<Record<string, FieldEncoding>>;
}

/** One of `style` and `contentType` at least. */
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
  /** Ways to sign a call, each the names of all schemes that it needs; left out where the document says nothing. */
  readonly security?: readonly (readonly string[])[];
}

/** What compiling a document gives. */
export interface CompiledDocument {
  readonly title: string;
  readonly operations: readonly { readonly row: Omit<OperationRow, 'at' | 'bytes'>; readonly plan: OperationPlan }[];
}

/** Counts up when rows or plans change their shape; tables of another format are made again from the document. */
export const tableFormat = 2;

export type Json = Readonly<Record<string, unknown>>;

/** An own property: names come from foreign documents. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
