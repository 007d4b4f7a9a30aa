// A page of its own in the web UI that follows a chat live: what it waits for, its tokens, its last tools.

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  registry.add('ui.panel', {
    id: 'live',
    title: 'Live',
    slot: 'panel',
    icon: '◉',
    module: new URL('./live-panel/panel.js', import.meta.url).href,
    uses: { routes: ['GET /api/status', 'GET /api/usage'], events: ['turn_start', 'tool_start', 'tool_result', 'usage', 'turn_end', 'chat_switched'] },
  });
}
