// Exports the client module for user interfaces.
export type * from './client-contract.ts';
export type * from './state.ts';
export type { ApiCall, Attachment, CallInput, ChatMeta, Config, Fault, PluginRow, ReplyOf, RequestBody, RouteKey, Settings, WireEvent } from './api.ts';
export type { CallIn, CallInputIn, ReplyIn, RequestBodyIn } from './typed-calls.ts';
export { CallError } from './api.ts';
export { createRequests, type Requests, type RequestsOptions } from './call-server.ts';
export { createClient } from './create-client.ts';
export type { CommandCall, CommandFields, CommandName } from './command-call.ts';
export { openDesktopSocket, type DesktopSocket, type DesktopSocketOptions, type SocketLike } from './desktop-socket.ts';
export { overSocket } from './socket-transport.ts';
export {
  answerLabel,
  authorText,
  callText,
  decisionText,
  durationText,
  endingText,
  handle,
  noticeOf,
  originText,
  refusalText,
  retryText,
  viewOfResult,
  viewOfTask,
  waitingText,
  type Handlers,
  type Notice,
} from 'agent-harness/transcript';
export { createContextUse, type ContextUse } from './context-use.ts';
export { onStreamOpen } from './on-stream-open.ts';
export { indicatorOf, type Indicator } from './indicator.ts';
