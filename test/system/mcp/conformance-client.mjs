// Client process of the conformance suite: forwards each scenario to the server under test.
const [control = '', url = ''] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const answer = await fetch(control, { method: 'POST', body: JSON.stringify({ url, scenario, context: JSON.parse(context) }) });
process.stdout.write(await answer.text());
