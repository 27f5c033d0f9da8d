// Shows /openapi.json as a page: routes by tag, with parameters, bodies and answers.
"use strict";

const make = (name, text, className) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
};

const resolve = (schema, all) =>
  schema && schema.$ref ? all[schema.$ref.split("/").pop()] : schema;

const typeOf = (schema) => {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.oneOf) return schema.oneOf.map(typeOf).filter(Boolean).join(" | ");
  if (schema.type === "array") return `list of ${typeOf(schema.items)}`;
  return [].concat(schema.type || "any").join(" | ");
};

const fields = (schema, all) => {
  const table = make("table");
  const required = schema.required || [];
  for (const [name, field] of Object.entries(schema.properties || {})) {
    const row = make("tr");
    row.append(make("td"), make("td", typeOf(field)), make("td", field.description || ""));
    row.firstChild.append(make("code", name + (required.includes(name) ? " *" : "")));
    table.append(row);
  }
  return table;
};

const show = (path, method, operation, all) => {
  const box = make("details");
  const head = make("summary");
  head.append(make("span", method.toUpperCase(), "method"), make("code", path));
  head.append(make("span", operation.summary || "", "what"));
  box.append(head);
  if (operation.description) box.append(make("p", operation.description));
  if (operation.parameters) {
    box.append(make("h4", "Parameters"));
    const properties = Object.fromEntries(
      operation.parameters.map((p) => [p.name, { ...p.schema, description: p.description }]));
    const required = operation.parameters.filter((p) => p.required).map((p) => p.name);
    box.append(fields({ properties, required }, all));
  }
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  if (body) {
    box.append(make("h4", `Body: ${typeOf(body)}`), fields(resolve(body, all) || {}, all));
  }
  for (const [status, answer] of Object.entries(operation.responses || {})) {
    const schema = Object.values(answer.content || {})[0]?.schema;
    box.append(make("h4", `${status} ${typeOf(schema)}`));
    const known = resolve(schema, all);
    if (known?.properties) box.append(fields(known, all));
  }
  return box;
};

fetch("/openapi.json").then((answer) => answer.json()).then((api) => {
  const all = api.components?.schemas || {};
  const byTag = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = (operation.tags || ["other"])[0];
      if (!byTag.has(tag)) byTag.set(tag, []);
      byTag.get(tag).push(show(path, method, operation, all));
    }
  }
  const routes = document.getElementById("routes");
  routes.textContent = "";
  for (const [tag, boxes] of byTag) routes.append(make("h2", tag), ...boxes);
});
