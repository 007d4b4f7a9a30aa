// The one client module: everything that a user interface needs of the server.
export type * from './client-contract.ts';
export type * from './state.ts';
export type { ApiCall, Attachment, CallInput, ChatMeta, Config, Fault, PluginRow, ReplyOf, RequestBody, RouteKey, Settings, WireEvent } from './api.ts';
export type { CallIn, CallInputIn, ReplyIn, RequestBodyIn, RouteKeyIn } from './typed-calls.ts';
export { CallError } from './api.ts';
export { createRequests, type Requests, type RequestsOptions } from './call-server.ts';
export { createClient } from './create-client.ts';
export {
  answerLabel,
  authorText,
  callText,
  decisionText,
  durationText,
  endingText,
  handle,
  originText,
  refusalText,
  retryText,
  waitingText,
  type Handlers,
} from 'agent-harness/transcript';
export { indicatorOf, type Indicator } from './indicator.ts';
