// Node's own modules that a plugin outside the server's process has.

/** They compute; what of them reaches further is named, and goes. */
export const harmless: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    'assert assert/strict buffer console constants diagnostics_channel domain events path path/posix path/win32'.split(' ').map((name) => [name, []]),
  ),
  ...Object.fromEntries(
    'perf_hooks punycode querystring stream stream/consumers stream/promises stream/web string_decoder'.split(' ').map((name) => [name, []]),
  ),
  ...Object.fromEntries('sys timers timers/promises url util util/types zlib'.split(' ').map((name) => [name, []])),
  async_hooks: ['createHook', 'executionAsyncResource'],
  crypto: ['setEngine', 'setFips'],
  module: ['register', 'registerHooks', 'enableCompileCache', 'flushCompileCache', 'runMain', '_preloadModules', '_initPaths'],
  os: ['setPriority', 'userInfo', 'networkInterfaces', 'hostname'],
};
