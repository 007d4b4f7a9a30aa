// The client that the conformance suite starts for each scenario: has the server of the test behave as one.
const [control = '', url = ''] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const answer = await fetch(control, { method: 'POST', body: JSON.stringify({ url, scenario, context: JSON.parse(context) }) });
process.stdout.write(await answer.text());
