"""Teaches the table to say what the model says: train.py START/ SENTENCES.json TEACHER.npy TABLE/

The teacher's vectors are centred and brought to the table's dimensions by principal components. The table
starts from the distilled one, mapped into that space by least squares, and is trained so that the mean of a
sentence's token vectors points where the teacher's vector points. Two losses: the cosine itself, and how the
similarities within a batch are spread, which keeps neighbours neighbours.
"""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer
from torch.nn.functional import kl_div, log_softmax, normalize, softmax

EPOCHS = 8
BATCH = 512
LEARNING_RATE = 3e-3
HELD_OUT = 4000
"""Sentences that are only measured on."""
FITTED = 20_000
"""Sentences for the first least-squares map."""
SPREAD_TEMPERATURE = 0.05
SPREAD_WEIGHT = 0.1


def read_table(folder: Path) -> np.ndarray:
    arrays = load_file(folder / "model.safetensors").values()
    return next(array for array in arrays if array.ndim == 2).astype(np.float32)


def tokenise(folder: Path, corpus: list[str]) -> list[list[int]]:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return [encoding.ids or [0] for encoding in tokenizer.encode_batch(corpus, add_special_tokens=False)]


def centred_components(vectors: np.ndarray, dimensions: int) -> np.ndarray:
    centred = vectors - vectors.mean(axis=0)
    directions = np.linalg.svd(centred, full_matrices=False)[2]
    components = centred @ directions[:dimensions].T
    return components / np.linalg.norm(components, axis=1, keepdims=True)


def start_table(table: np.ndarray, tokens: list[list[int]], targets: np.ndarray) -> torch.nn.EmbeddingBag:
    means = np.stack([table[ids].mean(axis=0) for ids in tokens[:FITTED]])
    mapping = np.linalg.lstsq(means, targets[:FITTED], rcond=None)[0]
    weights = torch.tensor(table @ mapping)
    weights /= weights.norm(dim=1).mean()
    return torch.nn.EmbeddingBag.from_pretrained(weights, freeze=False, mode="mean", sparse=True)


def embed(table: torch.nn.EmbeddingBag, tokens: list[list[int]]) -> torch.Tensor:
    offsets = np.cumsum([0, *map(len, tokens[:-1])])
    return normalize(table(torch.tensor(np.concatenate(tokens)), torch.tensor(offsets)))


def loss(found: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    direction = 1 - (found * wanted).sum(dim=1).mean()
    itself = torch.eye(len(found)).bool()
    found_spread = log_softmax((found @ found.T / SPREAD_TEMPERATURE).masked_fill(itself, -1e9), dim=1)
    wanted_spread = softmax((wanted @ wanted.T / SPREAD_TEMPERATURE).masked_fill(itself, -1e9), dim=1)
    return direction + SPREAD_WEIGHT * kl_div(found_spread, wanted_spread, reduction="batchmean")


def train(table: torch.nn.EmbeddingBag, tokens: list[list[int]], targets: torch.Tensor) -> None:
    optimiser = torch.optim.SparseAdam(table.parameters(), lr=LEARNING_RATE)
    for epoch in range(EPOCHS):
        for group in optimiser.param_groups:
            group["lr"] = LEARNING_RATE * (1 - epoch / EPOCHS)
        order = HELD_OUT + torch.randperm(len(tokens) - HELD_OUT)
        for batch in order.split(BATCH):
            loss(embed(table, [tokens[i] for i in batch]), targets[batch]).backward()
            optimiser.step()
            optimiser.zero_grad()
        with torch.no_grad():
            cosine = (embed(table, tokens[:HELD_OUT]) * targets[:HELD_OUT]).sum(dim=1).mean()
        print(f"epoch {epoch}: cosine on held-out sentences {cosine:.4f}")


def main() -> None:
    torch.manual_seed(0)
    start, sentences, teacher, out = map(Path, sys.argv[1:])
    corpus = json.loads(sentences.read_text("utf-8"))
    distilled = read_table(start)
    tokens = tokenise(start, corpus)
    targets = centred_components(np.load(teacher).astype(np.float32), distilled.shape[1])

    table = start_table(distilled, tokens, targets)
    train(table, tokens, torch.tensor(targets))

    out.mkdir(parents=True, exist_ok=True)
    save_file({"embeddings": table.weight.detach().numpy()}, out / "model.safetensors")
    shutil.copy(start / "tokenizer.json", out)


if __name__ == "__main__":
    main()
