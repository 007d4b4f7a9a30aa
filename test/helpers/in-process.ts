// What most tests of the server in this process need, in one import.
export * from './event-stream.ts';
export * from './harness.ts';
export * from './scripted-model.ts';
export * from './use-opened.ts';
