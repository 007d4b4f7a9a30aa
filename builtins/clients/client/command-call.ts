// Defines the types of commands in the desktop protocol: the fields of a route combined in one object.
import type { CallInput, ReplyOf, RequestBody } from './api.ts';
import type { Commands } from './command-types.ts';

export type CommandName = keyof Commands;
type Names<Key extends string> = Key extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : Key extends `${string}:${infer Name}`
    ? Name
    : never;
type Fields<T> = [T] extends [never] ? unknown : T extends object ? T : unknown;

export type CommandFields<C extends CommandName> = Readonly<Record<Names<Commands[C]>, string>> &
  Fields<NonNullable<CallInput<Commands[C]>['query']>> &
  Fields<RequestBody<Commands[C]>>;

export type CommandCall = <C extends CommandName>(command: C, fields?: CommandFields<C>) => Promise<ReplyOf<Commands[C]>>;
