// Adds the support bundle to the last message of a turn.
import type { Contribution } from '#page/points/contribution.ts';
import { ReportButton } from './report-button.tsx';

export const contribution: Contribution = {
  plugin: 'support-file',
  messageTools: [{ title: 'Report a problem…', Tool: ReportButton }],
};
