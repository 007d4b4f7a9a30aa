// Wraps every call from the kernel into the code of a third-party plugin.
import type { Interceptor, PluginCode } from './types.ts';
import { runOutside } from './reentrance.ts';

/**
 * Wraps `code` in all interceptors if the plugin is third-party; returns it unchanged for any other plugin.
 * @param isThirdParty whether the plugin is third-party; required while the plugin is not in the table yet
 */
export type Intercept = <F extends (...args: never[]) => unknown>(plugin: string, what: PluginCode, code: F, isThirdParty?: boolean) => F;

/** Creates the wrapper for calls into plugins' code. @param interceptors the first one is the outermost */
export function createIntercept(interceptors: readonly Interceptor[], isThirdParty: (plugin: string) => boolean): Intercept {
  return (plugin, what, code, isOutside = isThirdParty(plugin)) => {
    if (interceptors.length === 0 || !isOutside) return code;
    const call = { plugin, what };
    const within = (work: () => unknown): (() => unknown) => interceptors.reduceRight((inner, intercept) => () => intercept(call, inner), work);
    // The kernel waits only for the plugin's code, not for work of an interceptor.
    return ((...args: never[]) => runOutside((back) => within(() => back(() => code(...args)))())) as typeof code;
  };
}
