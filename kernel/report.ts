// The boot report in words.
import type { LoadReport, PluginReport } from './contracts.ts';

/** A tree with state, milliseconds and number of contributions, for `doctor` and the log. */
export function printReport(report: LoadReport): string {
  const lines = report.plugins.map(lineOf);
  const warnings = report.warnings.map((warning) => `  ! ${warning}`);
  return [`${report.plugins.length} plugins in ${report.ms.toFixed(0)} ms`, ...lines, ...warnings].join('\n');
}

function lineOf(plugin: PluginReport, index: number, all: readonly PluginReport[]): string {
  const branch = index === all.length - 1 ? '└─' : '├─';
  const reason = plugin.reason === undefined ? '' : ` – ${plugin.reason}`;
  return `${branch} ${plugin.name} (${plugin.origin}) ${plugin.state} ${plugin.bootMs.toFixed(1)} ms, ${plugin.adds.length} contributions${reason}`;
}
