// Packages that are not ours offer their TypeScript under the condition `source`, too, which node itself cannot run: leaves it out for them.
import { register } from 'node:module';

const hooks = `export function resolve(name, context, next) {
  return next(name, { ...context, conditions: context.conditions.filter((one) => one !== 'source') });
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
