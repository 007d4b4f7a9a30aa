// Exports the helpers that most in-process server tests need.
export * from './event-stream.ts';
export * from './harness.ts';
export * from './scripted-model.ts';
export * from './use-opened.ts';
