// How a run tells how far it is.
import type { BootstrapStage } from '../contract.ts';

/** What a run says of itself. Contract: never throws. */
export type Tell = (progress: { readonly stage: BootstrapStage; readonly artifact?: string; readonly preview?: string }) => void;
