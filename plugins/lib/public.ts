// Exports the library functions that a plugin may bundle, as `agent-harness/lib`. The other files of this folder are internal (`#lib/<name>`).
export { codeOf, failure, isFailure, messageOf, type Failure } from './errors.ts';
export { showHidden, stripHidden } from './hidden-text.ts';
export { isPublicAddress, reachOf, type Reach } from './net.ts';
export { firstLine, oneLine, textStart } from './text.ts';
