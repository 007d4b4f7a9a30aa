// Exports all types of the kernel.
export type * from './contracts.ts';
export type * from './hook-types.ts';
export type * from './host-types.ts';
export type * from './load-types.ts';
