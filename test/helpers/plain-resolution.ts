// Disables the export condition `source` for third-party packages, whose TypeScript sources Node cannot run.
import { register } from 'node:module';

const hooks = `export function resolve(name, context, next) {
  return next(name, { ...context, conditions: context.conditions.filter((one) => one !== 'source') });
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
