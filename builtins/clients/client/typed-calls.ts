// Derives the types of server calls: input and response of each route, from the schemas in an open map.
import type { ReplyFields, RouteSchema } from 'agent-harness/plugins/http';
import type { Static, TSchema } from 'typebox';

/** The type of one part of a route's schemas; `undefined` if the route has none. */
type PartOf<Schemas, Part extends keyof RouteSchema> = Schemas extends { readonly [P in Part]: infer S extends TSchema } ? Static<S> : undefined;

/** Fields that plugins add to the response of a route. */
type SectionsOf<Key> = Combined<{ [S in keyof ReplyFields]: S extends `${Key & string} ${string}` ? Static<ReplyFields[S]> : never }[keyof ReplyFields]>;
type Combined<Union> = [Union] extends [never]
  ? unknown
  : (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
    ? All
    : never;

/** @typeParam Routes an open map: `Routes` for the server, or `PlaneRoutes` for the control plane */
export type ReplyIn<Routes, Key extends keyof Routes> = PartOf<Routes[Key], 'reply'> & SectionsOf<Key>;
export type RequestBodyIn<Routes, Key extends keyof Routes> = PartOf<Routes[Key], 'body'>;

export interface CallInputIn<Routes, Key extends keyof Routes> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: PartOf<Routes[Key], 'query'>;
  readonly body?: RequestBodyIn<Routes, Key>;
  readonly signal?: AbortSignal;
}

export type CallIn<Routes> = <Key extends keyof Routes>(key: Key, input?: CallInputIn<Routes, Key>) => Promise<ReplyIn<Routes, Key>>;
