// The public surface of the kernel.
export type * from './contracts.ts';
export { createKernel } from './kernel.ts';
export { rehearsal } from './hooks.ts';
export { loadPlugins } from './load-plugins.ts';
export { kernelErrors, errorPrefix, messageOf, codeOf, pluginError } from './errors.ts';
