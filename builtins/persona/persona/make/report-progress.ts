// Defines the callback that reports the progress of creating a persona.
import type { BootstrapStage } from '../contract.ts';

/** Receives a progress report of a run. Contract: never throws. */
export type ReportProgress = (progress: { readonly stage: BootstrapStage; readonly artifact?: string; readonly preview?: string }) => void;
