// The routes of an OpenAPI document as typed calls. `Paths` is what `openapi-typescript` makes of the document.

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Methods<P> = { [M in Method]: P extends { readonly [K in M]: infer Operation } ? (Operation extends object ? M : never) : never }[Method];
export type RouteKeyIn<Paths> = { [P in keyof Paths & string]: `${Uppercase<Methods<Paths[P]>>} ${Colons<P>}` }[keyof Paths & string];
type Colons<P extends string> = P extends `${infer Head}{${infer Name}}${infer Tail}` ? Colons<`${Head}:${Name}${Tail}`> : P;
type Braces<P extends string> = P extends `${infer Head}:${infer Name}/${infer Tail}`
  ? Braces<`${Head}{${Name}}/${Tail}`>
  : P extends `${infer Head}:${infer Name}`
    ? `${Head}{${Name}}`
    : P;

type OperationIn<Paths, K> = K extends `${infer M} ${infer P}`
  ? Braces<P> extends keyof Paths
    ? Paths[Braces<P>][Lowercase<M> & keyof Paths[Braces<P>]]
    : never
  : never;
type JsonOf<T> = T extends { readonly content: { readonly 'application/json': infer Body } } ? Body : undefined;
type BodyOf<T> = T extends { readonly requestBody?: infer R } ? JsonOf<NonNullable<R>> : undefined;
type QueryOf<T> = T extends { readonly parameters: { readonly query?: infer Q } } ? Q : undefined;

export type ReplyIn<Paths, K> = OperationIn<Paths, K> extends { readonly responses: infer R } ? JsonOf<R[(200 | 201 | 202) & keyof R]> : never;
export type RequestBodyIn<Paths, K> = BodyOf<OperationIn<Paths, K>>;

export interface CallInputIn<Paths, K> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: QueryOf<OperationIn<Paths, K>>;
  readonly body?: RequestBodyIn<Paths, K>;
  readonly signal?: AbortSignal;
}

export type CallIn<Paths> = <K extends RouteKeyIn<Paths>>(key: K, input?: CallInputIn<Paths, K>) => Promise<ReplyIn<Paths, K>>;
