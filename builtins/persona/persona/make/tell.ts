// Defines the progress callback of a creation.
import type { BootstrapStage } from '../contract.ts';

/** A progress report of a run. Contract: never throws. */
export type Tell = (progress: { readonly stage: BootstrapStage; readonly artifact?: string; readonly preview?: string }) => void;
