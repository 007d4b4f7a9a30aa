// Exports the library that applies chat events, for servers, clients and the page. Pure; imports only types.
export type * from './state.ts';
export type { EventFields, EventKind } from './events.ts';
export type { EventHead, ReadEvent } from './batch.ts';
export { withWait } from './batch.ts';
export { reduce, settle, type ChatEvent, type Reduced, type ShownNote } from './reduce.ts';
export { emptyTranscript } from './state.ts';
export { createPageWindow, joinPages, type PageWindow } from './pages.ts';
export { createEventRedactor, isRemoval, removedText, takeRemoval, withRemovals, type Removals } from './removals.ts';
export { createSearchText, isSearched, searchTerms, type SearchedMessage, type SearchText } from './search-text.ts';
export {
  attachedStart,
  createConversation,
  isReadable,
  type MessageExtras as Brought,
  type Conversation,
  type AppliedEvent,
  type KnownReply,
  type OpenTurn,
} from './conversation.ts';
export { hasContent, interruptedOutput } from './replies.ts';
export { isQueued } from './entry-list.ts';
export { joinText, hasGap } from './join-text.ts';
export { answer, decide } from './decide.ts';
export { handle, type Handlers } from './handlers.ts';
export { printedText } from './join-text.ts';
export { isOver as isCallOver } from './tool-reducers.ts';
export { isDraft, isUnlisted, untitled } from './draft-chat.ts';
export { isIdle, lastWords, outcomeOf, type TurnOutcome } from './outcome.ts';
export { callText, durationText, partialArgs } from './call-text.ts';
export { callItems, viewOfResult, viewOfTask, type TaskViewOptions } from './call-view.ts';
export { annotationChangeTexts } from './annotation-text.ts';
export { noticeOf, type Notice } from './notices.ts';
export { isTrace } from './event-reducers.ts';
export { createQuietView } from './quiet-view.ts';
export {
  answerLabel,
  approvalText,
  previewRunningText,
  authorText,
  changeText,
  decisionText,
  endingReason,
  endingText,
  isOwnersWord,
  networkDecision,
  originText,
  outputText,
  refusalText,
  rehearsalSeen,
  rehearsalText,
  retryText,
  ruleMeaning,
  ruleChoices,
  widestKind,
  unqueuedText,
  waitingText,
} from './wording.ts';
