// Implements `audit`: checks that other users cannot use or change this installation.
import type { RunCommand } from '../cli-parts.ts';
import { auditFiles } from '../audit-files.ts';
import { auditSettings } from '../audit-settings.ts';
import { exitCodeOf, printFindings } from '../findings.ts';
import { createPaint } from '../paint.ts';

export const audit: RunCommand = async (parts, { options }, output) => {
  const files = await auditFiles(parts, { mayFix: options['fix'] === true });
  const findings = [...files, ...(await auditSettings(parts))];
  if (options['json'] !== true) return printFindings(findings, createPaint(output), output);
  output.out(`${JSON.stringify(findings, undefined, 2)}\n`);
  return exitCodeOf(findings);
};
