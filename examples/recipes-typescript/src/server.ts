import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { findRecipe, recipes } from "./cookbook.js";

const server = new McpServer({ name: "recipes", version: "0.1.0" });

const reading = { readOnlyHint: true, openWorldHint: false };

server.registerTool(
  "list_recipes",
  {
    title: "List recipes",
    description:
      "List the titles of the recipes that take at most some minutes, with `next_offset` if there are more. " +
      "Use it to find a title; use get_recipe to read the steps.",
    inputSchema: {
      max_minutes: z.number().int().min(1).max(600).default(600).describe("The longest time that a recipe may take, in minutes."),
      offset: z.number().int().min(0).max(10_000).default(0).describe("How many titles to skip, from `next_offset` of the page before."),
      limit: z.number().int().min(1).max(50).default(20).describe("The most titles to return."),
    },
    annotations: reading,
  },
  async ({ max_minutes, offset, limit }) => {
    const found = recipes.filter((recipe) => recipe.minutes <= max_minutes);
    const page = found.slice(offset, offset + limit);
    const next = offset + limit < found.length ? offset + limit : null;
    const answer = { titles: page.map((recipe) => recipe.title), total: found.length, next_offset: next };
    return { content: [{ type: "text", text: JSON.stringify(answer) }] };
  },
);

server.registerTool(
  "get_recipe",
  {
    title: "Get a recipe",
    description:
      "Get the time and the steps of one recipe by its title. Use list_recipes first if the title is not known. " +
      "Example: get_recipe(title=\"Porridge\").",
    inputSchema: { title: z.string().min(1).max(100).describe("The title of the recipe, as list_recipes gives it.") },
    annotations: reading,
  },
  async ({ title }) => {
    const recipe = findRecipe(title);
    if (recipe === undefined) {
      return {
        isError: true,
        content: [{ type: "text", text: `There is no recipe "${title}". Call list_recipes for the titles.` }],
      };
    }
    return { content: [{ type: "text", text: JSON.stringify(recipe) }] };
  },
);

await server.connect(new StdioServerTransport());
